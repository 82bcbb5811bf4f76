export { fingerprints } from './fingerprints.ts';
export { REPORTERS, type Reporter } from './reporters.ts';
