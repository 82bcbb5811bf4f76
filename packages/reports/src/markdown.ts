export { markdownImpact } from './impact/markdown-impact.ts';
export { markdownReport } from './replay/markdown-replay.ts';
