// The parts of the engine. For the tests of this repository.

export { disguisesOf } from './bypass/disguises.ts';
export { upstreamPath } from './bypass/upstream-path.ts';
export { UPSTREAMS } from './bypass/upstreams.ts';
export type { ReadingContext } from './inputs/reader-context.ts';
export { Budget } from './logic/budget.ts';
export { Graph, type Signal } from './logic/graph.ts';
export { search, type Theory } from './logic/search.ts';
export { readCondition } from './reader/read-condition.ts';
export { acceptsString } from './strings/automaton.ts';
export { Language } from './strings/language.ts';
export {
  beforeLanguage,
  complementLanguage,
  doubleLanguage,
  type Intern,
  integerLanguage,
  intersectionLanguage,
  partLanguage,
  patternLanguage,
  prefixLanguage,
  sizeLanguage,
  suffixLanguage,
  wordsLanguage,
} from './strings/languages.ts';
export {
  appending,
  LOWER_ASCII,
  mappingFunction,
  preimageLanguage,
  prepending,
  UPPER_ASCII,
  unicodeMapping,
} from './strings/preimages.ts';
export { partOfUrl, urlLanguage } from './strings/url-parts.ts';
export { decideElements, type Elements, type ElementsLiteral } from './theory/elements.ts';
export { decideIntegers, type IntLiteral } from './theory/integers.ts';
export { decideLists, type ListLiteral } from './theory/lists.ts';
export { decideStrings, type StringLiteral } from './theory/strings.ts';
export { decideParts, hasPart, momentsInYears } from './theory/time-parts.ts';
export { TrafficTheory } from './theory/traffic-theory.ts';
export { type Cell, cellsOf, type Meaning, Vocabulary } from './theory/vocabulary.ts';
export { DOUBLES, positionOf } from './values/doubles.ts';
export { INT64 } from './values/int-set.ts';
