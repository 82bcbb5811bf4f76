export { markdownImpact } from './impact/markdown-impact.ts';
export { markdownReplay } from './replay/markdown-replay.ts';
