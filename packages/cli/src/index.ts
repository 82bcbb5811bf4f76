export { EXIT, type ExitCode } from './exit-code.ts';
export { runCommandLine, runTollgate } from './main.ts';
export { type CapturedRun, type CapturedWorld, runCaptured } from './run-captured.ts';
export type { Terminal } from './terminal.ts';
