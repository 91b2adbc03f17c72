const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""))

/** Words that say something good of what they are about. */
export const POSITIVE = words(`
  advantage affordable amazing appreciate appreciated awesome beautiful best better brilliant cheap cheaper clean clear comfortable
  convenient convinced convincing delicious easier easily easy effective efficient elegant enjoy enjoyed
  excellent excited exciting fair fantastic fast faster favorite favourite fine flawless flexible fond fresh friendly generous glad good
  gorgeous great happier happily happy helped helpful helps ideal impressed impressive improved improves improvement incredible intuitive
  like liked likes love loved loves lovely nice outstanding painless perfect perfectly pleasant pleased pleasing plus polite powerful
  praise praised prefer preferred prefers prompt quick quickly reasonable recommend recommended reliable responsive robust saved
  saves seamless simple simpler smooth smoothly solid solved solves spacious stable straightforward strength strong stronger strongest
  stunning superb superior tasty terrific thorough thrilled trust useful valuable well win winner wins wonderful won works worth ahead
  attentive courteous knowledgeable amazed satisfied satisfying exceptional phenomenal tender crisp cozy`)

/** Words that say something bad of what they are about. */
export const NEGATIVE = words(`
  afraid annoyed annoying appalling awful awkward bad badly behind blocker bland boring breaking breaks broke broken buggy burden clumsy
  clunky cold complain complained complaining complaint complaints complex complicated concern concerned concerns concerning confused
  confusing costly cramped crash crashed crashes cumbersome damaged dated deal-breaker dealbreaker delay delayed delays difficult dirty
  disappoint disappointed disappointing disappointment dislike disliked doubt doubts dreadful dropped dry error errors expensive fail
  failed failing fails failure fear fell fragile frustrated frustrating greasy hard hate hated hates hidden horrible hurt hurts inadequate
  incomplete inconsistent inconvenient inferior insecure issue issues killer lack lacked lacking lacks lagging laggy late limited lose
  loses losing lost loud mediocre mess messy missed misses missing nightmare noisy outdated overpriced overcooked overwhelming
  painful poor poorly pricey problem problems refuse refused regret reject rejected ridiculous risk risky rude shortcoming sick slow slower
  sluggish stale steep stuck struggle struggled struggling terrible tight tough trouble troublesome ugly unacceptable unable unclear
  uncomfortable undercooked unfair unfortunately unfriendly unhappy unhelpful unimpressed unpleasant unreliable unresponsive
  unsatisfied unstable unusable unsure upset useless waited wait weak weaker weakness worried worries worry worrying worse worst wrong
  inattentive forgot ignored tasteless lukewarm soggy greasy mistake mistakes`)

/** Words that turn around what follows them within a few words. */
export const NEGATIONS = words(`
  not no never none nobody nothing neither nor without hardly barely scarcely cannot can't couldn't don't doesn't didn't isn't aren't
  wasn't weren't won't wouldn't shouldn't hasn't haven't hadn't ain't lacks zero nowhere`)

/** Groups of words that mean more than their words, with what they mean. Longer ones first. */
export const PHRASES: ReadonlyArray<readonly [phrase: RegExp, effect: 1 | -1 | 0]> = [
  [
    /\b(?:no|zero|any|without|never had(?: any)?|not had any|not a single) (?:complaints?|complaining|issues?|problems?|trouble|concerns?|doubts?|hitch(?:es)?|errors?)\b/g,
    1,
  ],
  [/\bwithout (?:a|any) (?:hitch|problem|issue|complaint)\b/g, 1],
  [/\bnot? (?:a )?bad\b/g, 1],
  [/\bnot only\b/g, 0],
  [/\b(?:can|could)(?: not|n't) be (?:happier|better|more pleased)\b/g, 1],
  [/\bcould(?: be|'ve been| have been) (?:better|faster|easier|clearer|cheaper)\b/g, -1],
  [
    /\b(?:not|n't|nowhere near|far from) (?:as |so |that |very |really |quite |too )?(?:good|great|easy|fast|happy|impressed|convinced|enough|ready|acceptable)(?: enough)?\b/g,
    -1,
  ],
  [/\bnowhere near\b|\bfar from\b|\bless than\b[^.]{0,20}\b(?:hoped|expected|promised)\b/g, -1],
  [
    /\btoo (?:high|low|long|short|late|expensive|slow|complex|complicated|hard|tight|rigid|small|big|much|many|few|limited|confusing|steep|risky|weak|loud|salty|sweet|dark|cold|hot|heavy)\b/g,
    -1,
  ],
  [
    /\b(?:deal ?breaker|show ?stopper|non-?starter|red flag|off the table|fell short|falls short|let us down|lets us down|ran into)\b/g,
    -1,
  ],
  [
    /\b(?:can|could|will|would|does|do|did|has|have|is|are|was|were)(?:n't| not) (?:even )?(?:work|works|handle|support|scale|load|do|have|offer|accept|justify|integrate|answer|help|run|cover|meet|afford|get)\b/g,
    -1,
  ],
  [
    /\bcannot (?:even )?(?:work|handle|support|scale|load|do|have|offer|accept|justify|integrate|answer|help|run|cover|meet|afford|get)\b/g,
    -1,
  ],
  [/\b(?:what|the thing) (?:won|sold|convinced)\b|\bwon (?:us )?over\b|\bsold on\b|\bwin us over\b/g, 1],
  [/\b(?:saved?|saves|cuts?|reduced?) (?:us|our|me|the|a lot|about|around|\d)/g, 1],
  [
    /\b(?:big|huge|major|clear) (?:step forward|plus|win|help|advantage|improvement)\b|\bstep forward\b|\bspot on\b|\bgame ?changer\b|\bbig fan\b|\bmust.have\b/g,
    1,
  ],
  [/\bcosts? us\b|\bgave up\b|\bgive up\b|\bwalk(?:ed)? away\b/g, -1],
  [/\b(?:exactly|just) what (?:we|our|i|they)\b|\b(?:works?|fits?) (?:well|nicely|perfectly|for us)\b/g, 1],
  [/\bdespite\b|\bin spite of\b/g, 0],
]

/** Marks of a transcript that the speaker means the opposite. */
export const SARCASM = /[[(]\s*(?:sarcas(?:m|tic|tically)|ironic(?:ally)?|irony|jokingly sarcastic)\s*[\])]/i

/** A sentence that asks. */
export const QUESTION =
  /\?\s*["”’)]*$|^(?:(?:and|so|but|okay|ok|well|right)[, ]+)?(?:can|could|would|will|do|does|did|is|are|was|were|has|have|how|what|when|where|who|why|which|should) (?:you|we|it|they|i|there|the|that|this|your|our|many|much|long|about|happens?|would|does|do|is|are)\b/i
