import { CodeActionKind, type SemanticTokensLegend } from 'vscode-languageserver-types';

/** The kind of the action that applies all safe fixes of a document. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.tollgate`;

/**
 * Commands of lenses, which the server or the client runs. Each has the URI of the document as its first argument; its
 * fragment is the address of a policy in a file that contains it.
 */
export const LENS_COMMANDS = {
  /** Second argument: the name of the test, or null for all. */
  runTest: 'tollgate.runTest',
  /** Second argument: the phase; third: the number of the rule, from 1. */
  traceRule: 'tollgate.traceRule',
  /** As for `traceRule`; fourth: the path of recorded traffic. */
  replayRule: 'tollgate.replayRule',
} as const;

/** Types of semantic tokens, in the order of their numbers. */
export const TOKEN_TYPES = [
  'variable',
  'property',
  'function',
  'method',
  'macro',
  'string',
  'number',
  'keyword',
  'parameter',
  'type',
] as const;

/** The types of tokens as the server announces them. */
export const LEGEND: SemanticTokensLegend = { tokenTypes: [...TOKEN_TYPES], tokenModifiers: ['readonly'] };
