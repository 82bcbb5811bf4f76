// What compiled policies import at run time: no parser, no checker, no compiler.

export * from './support.ts';
