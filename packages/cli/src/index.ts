export { createProgram, runCommandLine, runTollgate } from './main.ts';
export { EXIT, type ExitCode } from './process/exit-code.ts';
export type { Terminal } from './process/terminal.ts';
export { type CapturedRun, type CaptureOptions, runCaptured } from './run-captured.ts';
