export { htmlCoverage, htmlMutants } from './goals/html-goals.ts';
export { htmlImpact } from './impact/html-impact.ts';
export { htmlReplay } from './replay/html-replay.ts';
export { htmlTrace } from './trace/html-trace.ts';
