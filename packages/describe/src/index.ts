// What a policy does, in plain English, made from its tree: no conjunct is ever left out, and what has no words is shown as code.

export { type Clause, clauseOf, hasCode, type Phrase, phrasesOf, type Statement, textOf } from './clauses.ts';
export {
  type ChangedSentence,
  changedSentences,
  type Dependency,
  describePolicy,
  describeRule,
  labelOf,
  type OutcomeSentence,
  type PolicyDescription,
  phrasesOfRule,
  type RuleSentence,
  textOfPhrases,
} from './describe-policy.ts';
export { nounOf, statementOf } from './terms.ts';
