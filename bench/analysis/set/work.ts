import type { Phrases } from "./phrases.ts"

/** The half to work with. */
export const WORK: Phrases = {
  feature: {
    positive: [
      "We love {F}, it is a big step forward for us.",
      "{F} works great for our planners.",
      "{F} was the strongest part of the demo.",
      "The best thing you showed us is {F}.",
      "{F} is easy to use, even for new people.",
      "We have no complaints about {F} at all.",
      "{F} cut our reporting time by {N} percent.",
      "I am very happy with {F} so far.",
      "Our team was excited about {F}.",
      "{F} is a clear plus for you.",
    ],
    negative: [
      "{F} is too slow for our warehouse.",
      "We were disappointed by {F}.",
      "{F} does not support our file format.",
      "The problem is {F}, it failed in the pilot.",
      "{F} is missing half of what we need.",
      "I am worried about {F}, to be honest.",
      "{F} was confusing for most users.",
      "{F} is a deal breaker for our lawyers.",
      "Your {F} can't handle {N} records.",
      "{F} was not as good as we had hoped.",
    ],
    neutral: [
      "Can you tell us how {F} works?",
      "We do not need {F}, at least not now.",
      "Does {F} come with the basic plan?",
      "We will look at {F} next week.",
      "{F} was mentioned in your offer.",
      "Who on your side looks after {F}?",
      "What about {F}?",
    ],
    sarcastic: [
      "[sarcasm] Great, {F} lost our data again, just wonderful.",
      "(sarcastically) We just love how {F} logs us out every {N} minutes.",
    ],
  },
  pitch: [
    "I would like to show you {F} now.",
    "{F} is our best seller and it is great.",
    "With {F} you save a lot of time.",
    "You can switch on {F} in the settings.",
  ],
  competitor: {
    positive: [
      "{C} was too expensive for us.",
      "We left {C} because their support was poor.",
      "{C} failed our pilot.",
      "You are better than {C} in every way that matters.",
    ],
    negative: [
      "{C} is cheaper than you.",
      "We like {C} a lot, I have to admit.",
      "{C} gave us a better demo.",
      "{C} offered us a discount of {N} percent.",
      "We are leaning towards {C}.",
    ],
    neutral: [
      "We are also talking to {C}.",
      "Today we use {C} in one office.",
      "{C} will present next week.",
      "We got a proposal from {C} too.",
      "Do you integrate with {C}?",
    ],
  },
  rivalOfSeller: [
    "Unlike {C}, we charge no setup fee.",
    "Many customers come to us from {C}.",
    "Have you looked at {C} as well?",
    "{C} is slower than we are.",
  ],
  ordinary: {
    Compass: ["We need a compass for the next two years.", "The values of the company are our compass."],
    Beacon: ["Every shelf has a beacon for the scanners.", "That customer is a beacon in our region."],
    Summit: ["Our managers are away at a summit in May.", "The summit of the board is on Monday."],
  },
  reason: {
    Price: {
      positive: ["The price is fair.", "Your pricing is better than we expected."],
      negative: ["The price is too high.", "It costs {N} percent more than we can spend, that is a problem."],
    },
    Support: {
      positive: ["Your support is excellent.", "Support was quick and friendly in the trial."],
      negative: ["Support was slow, we waited {N} days for an answer.", "We were not happy with support at all."],
    },
    Security: {
      positive: ["Our security team is happy with your answers.", "The security review was easy."],
      negative: ["We have serious concerns about security.", "You failed our security review."],
    },
    Integration: {
      positive: ["The integration was easy and quick.", "The integrations you have are great for us."],
      negative: [
        "The integration does not work with our system.",
        "Integration is the problem, it takes {N} weeks too long.",
      ],
    },
    Timeline: {
      positive: ["The timeline is good for us.", "We like that you can start in {N} weeks, the timeline is great."],
      negative: ["The timeline is too long for us.", "We are worried about the timeline."],
    },
  },
  promise: ["I will send you the contract by Monday.", "We will sign the offer next week."],
  withdrawal: ["I can't send the contract by Monday after all.", "We will not sign the offer next week."],
  smallTalk: [
    "Can you hear me?",
    "Nice to see you all again.",
    "Let me get some coffee first.",
    "Good, let's continue.",
    "Yes, exactly.",
    "That makes sense.",
    "We had a long week.",
    "I will share the link in the chat.",
  ],
  questions: ["Is that clear so far?", "How many people will use it?", "What does your process look like?"],
  note: [
    "They asked for a reference customer.",
    "The contract runs until June.",
    "The board meets on the first Monday.",
  ],
}
