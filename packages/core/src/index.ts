export { type AnalyzeResult, analyze, type FormatOptions, format } from './analyze.ts';
export { type LintOptions, type LintPolicyResult, lint } from './lint.ts';
export type { Finding, PolicyOptions } from './policy-options.ts';
export { OptionError, PolicyError } from './policy-options.ts';
export type { Headers, TrafficRequest } from './simulate.ts';
export {
  type PolicyRunner,
  prepare,
  type ReplayOptions,
  type ReplayResult,
  type RuleOutcome,
  type RunOptions,
  replay,
  type SimulateResult,
  simulate,
  type Traffic,
} from './simulate.ts';
export { type TestOptions, type TestPolicyResult, test } from './test-policy.ts';
