export { fingerprints } from './fingerprints.ts';
export { markdownCode, markdownTable, markdownText } from './markdown.ts';
export { REPORTERS, type Reporter } from './reporters.ts';
