export { htmlImpact } from './impact/html-impact.ts';
export { htmlReport } from './replay/html-replay.ts';
export { htmlTrace } from './trace/html-trace.ts';
