import type { Phrases } from "./phrases.ts"

/** The half that is only counted: never tune to it. Written before the extractor. */
export const COUNTED: Phrases = {
  feature: {
    positive: [
      "I have to say {F} is what won over our analysts.",
      "The team was really impressed by {F} during the trial.",
      "What we liked best was {F}, honestly.",
      "{F} saved our people about {N} hours a month.",
      "We have had zero trouble with {F} since day one.",
      "Nobody here has a bad word about {F}.",
      "With {F} you are clearly ahead of the others.",
      "{F} does exactly what our finance lead was hoping for.",
      "My colleagues keep raving about {F}.",
      "I was sceptical, but {F} turned out to be a delight.",
    ],
    negative: [
      "{F} fell over twice while we were testing.",
      "Our admins found {F} far too complicated.",
      "To be frank, {F} is where you lose us.",
      "{F} is nowhere near what we were promised.",
      "We could not get {F} to work with our directory.",
      "{F} took {N} seconds to load, which nobody will accept.",
      "I worry that {F} is half finished.",
      "{F} simply isn't good enough for an audit.",
      "Without a better {F} this goes no further.",
      "People on my side complained about {F} all week.",
    ],
    neutral: [
      "Could you walk us through {F} once more?",
      "Is {F} part of the standard plan?",
      "We don't really need {F} this year.",
      "How many seats does {F} cover?",
      "Somebody in procurement asked where {F} is hosted.",
      "{F} is on the list for the second phase.",
      "We haven't looked at {F} yet.",
    ],
    sarcastic: [
      "[sarcastic] Oh yes, {F} was a joy, it only crashed {N} times.",
      "[sarcastically] {F} is brilliant if you enjoy waiting.",
    ],
  },
  pitch: [
    "Let me share my screen and open {F}.",
    "Most of our clients start with {F} and love it.",
    "We rebuilt {F} last quarter, so it is much faster.",
    "I will send the data sheet about {F} tonight.",
  ],
  competitor: {
    positive: [
      "{C} couldn't answer our security team, so they dropped out.",
      "We tried {C} for {N} weeks and gave up.",
      "Honestly {C} felt clumsy next to you.",
      "{C} is out, their contract terms were a non-starter.",
    ],
    negative: [
      "{C} came in at nearly half of what you ask.",
      "My boss prefers {C}, I won't hide that.",
      "{C} already runs in two of our plants and people are happy.",
      "At this point {C} is ahead.",
      "{C} offered {N} days for free.",
    ],
    neutral: [
      "We also have {C} coming in next Tuesday.",
      "The other name on our list is {C}.",
      "Our sister company has a contract with {C}.",
      "How do you differ from {C}?",
      "Someone mentioned {C} in the steering group.",
    ],
  },
  rivalOfSeller: [
    "Compared to {C}, we are live in half the time.",
    "Customers who leave {C} tell us about hidden fees.",
    "Are you also talking to {C}?",
    "I used to work at {C} myself.",
  ],
  ordinary: {
    Harvest: ["The harvest season keeps our drivers busy until October.", "We want to harvest the easy savings first."],
    Anchor: ["That meeting should anchor the whole project.", "Price is the anchor of every talk with procurement."],
    Lantern: [
      "We hung a lantern over the booth at the fair.",
      "Last year it felt like walking with a lantern in the fog.",
    ],
  },
  reason: {
    Price: {
      positive: ["For what you get, the price is very reasonable.", "Your quote sits comfortably inside our budget."],
      negative: ["The price is simply too high for us.", "We cannot justify {N} euros per seat to the board."],
    },
    Support: {
      positive: [
        "Your support people answered within minutes, great.",
        "The help desk was outstanding during the pilot.",
      ],
      negative: ["Support left us hanging for {N} days.", "Nobody from support ever called back, which is worrying."],
    },
    Security: {
      positive: [
        "Our security officer was pleased with your certificates.",
        "The security review went through without a hitch.",
      ],
      negative: [
        "Security is a concern: you have no penetration test.",
        "The security questionnaire raised more doubts than it settled.",
      ],
    },
    Integration: {
      positive: ["The integration with our ERP was painless.", "Integrating with our CRM went smoothly."],
      negative: [
        "The integration with our ERP keeps breaking.",
        "Integration would cost us a developer for {N} weeks, that hurts.",
      ],
    },
    Timeline: {
      positive: ["Going live in {N} weeks suits us perfectly.", "The timeline you propose works well for us."],
      negative: ["The timeline is too tight for our people.", "We would miss our deadline with that timeline."],
    },
  },
  promise: ["I will send you the signed order form by Friday.", "We are going to sign before the end of the month."],
  withdrawal: [
    "About the order form, I take that back, it will not come by Friday.",
    "I said we would sign this month, but that is off the table now.",
  ],
  smallTalk: [
    "Sorry, I was on mute.",
    "The weather here is dreadful today.",
    "Let's wait a minute for the others to join.",
    "My daughter started school this week.",
    "Okay, back to the agenda.",
    "Thanks, that helps.",
    "Right, right.",
    "Give me a second to find my notes.",
  ],
  questions: [
    "Does everyone see the slides?",
    "Who else should be on the next call?",
    "When does your fiscal year end?",
  ],
  note: [
    "They want a reference from their own industry.",
    "The decision sits with the operations board.",
    "Budget is released per quarter.",
  ],
}
