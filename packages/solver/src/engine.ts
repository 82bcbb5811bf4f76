// The parts of the engine. For the tests of this repository.

export { Budget } from './logic/budget.ts';
export { Graph, type Signal } from './logic/formula.ts';
export { search, type Theory } from './logic/search.ts';
export { disguisesOf } from './prove/find-bypasses.ts';
export { UPSTREAMS, upstreamPath } from './prove/upstreams.ts';
export { readCondition } from './reader/read-condition.ts';
export type { ReadingContext } from './reader/reader-context.ts';
export { decideIntegers, decideParts, hasPart, type IntLiteral, momentsInYears } from './theory/integers.ts';
export { decideElements, decideLists, type Elements, type ElementsLiteral, type ListLiteral } from './theory/lists.ts';
export { decideStrings, type StringLiteral } from './theory/strings.ts';
export { TrafficTheory } from './theory/traffic-theory.ts';
export { partOfUrl, urlLanguage } from './theory/url-relation.ts';
export { type Cell, cellsOf, type Meaning, Vocabulary } from './theory/vocabulary.ts';
export { acceptsString } from './values/automaton.ts';
export { DOUBLES, INT64, positionOf } from './values/int-set.ts';
export {
  beforeLanguage,
  complementLanguage,
  doubleLanguage,
  type Intern,
  integerLanguage,
  intersectionLanguage,
  Language,
  partLanguage,
  patternLanguage,
  prefixLanguage,
  sizeLanguage,
  suffixLanguage,
  wordsLanguage,
} from './values/language.ts';
export {
  appending,
  LOWER_ASCII,
  mappingFunction,
  preimageLanguage,
  prepending,
  UPPER_ASCII,
  unicodeMapping,
} from './values/preimages.ts';
export {
  characterAt,
  cutting,
  firstAtLanguage,
  lastAtLanguage,
  partsLanguage,
  replacing,
  splitAt,
  TRIMMING,
} from './values/string-functions.ts';
