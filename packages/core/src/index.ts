export {
  type AnalyzeResult,
  analyze,
  type FormatOptions,
  format,
  type LintOptions,
  type LintPolicyResult,
  lint,
} from './analyze.ts';
export type { PolicyFinding as Finding, PolicyOptions } from './policy-options.ts';
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
  type TestOptions,
  type TestPolicyResult,
  type Traffic,
  test,
} from './simulate.ts';
