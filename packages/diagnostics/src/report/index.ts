export { helpUrl } from './encoding/help-url.ts';
export { markdownCode, markdownTable, markdownText } from './encoding/markdown.ts';
export { fingerprints } from './model/fingerprints.ts';
export { REPORTERS } from './reporters.ts';
