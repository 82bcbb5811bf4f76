export { type AnalyzeResult, analyze, type FormatOptions, format } from './analyze.ts';
export { type LintOptions, type LintPolicyResult, lint } from './lint.ts';
export type { Finding, PolicyOptions } from './policy-options.ts';
export { OptionError, PolicyError } from './policy-options.ts';
export { type PolicyRunner, prepare, type ReplayOptions, type ReplayResult, replay, type Traffic } from './replay.ts';
export type { Headers, TrafficRequest } from './simulate.ts';
export { type RuleOutcome, type RunOptions, type SimulateResult, simulate } from './simulate.ts';
export { type TestOptions, type TestPolicyResult, test } from './test-policy.ts';
