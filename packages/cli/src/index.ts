export { EXIT, type ExitCode } from './exit-code.ts';
export { runCommandLine, runTollgate } from './main.ts';
export type { Terminal } from './terminal.ts';
