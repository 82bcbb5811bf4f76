export { codeFences } from './code-fences.ts';
export type { CodeFence } from './find-in-fences.ts';
