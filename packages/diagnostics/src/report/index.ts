export { fingerprints } from './fingerprints.ts';
export { markdownCode, markdownTable, markdownText } from './markdown-report.ts';
export { helpUrl } from './report.ts';
export { REPORTERS } from './reporters.ts';
