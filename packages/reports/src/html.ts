export { htmlCoverage } from './goals/html-coverage.ts';
export { htmlMutants } from './goals/html-mutants.ts';
export { htmlImpact } from './impact/html-impact.ts';
export { htmlReplay } from './replay/html-replay.ts';
export { htmlTrace } from './trace/html-trace.ts';
