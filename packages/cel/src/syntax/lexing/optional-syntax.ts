import type { Reporter } from './reporter.ts';
import * as T from './tokens.ts';

/** Syntax that an environment may disable: `a.?b`, `a[?b]`, `[?e]`, `{?k: v}` and names in backticks. */
type SyntaxFeature = 'optionals' | 'quoted-names';

/** Inspects the tokens of an expression before they are parsed. */
export type TokenCheck = (tokens: readonly T.Token[], reporter: Reporter) => void;

/** Returns a check that reports the given syntax, for an environment that does not support it. */
export function disableSyntax(...features: readonly SyntaxFeature[]): TokenCheck {
  return (tokens, reporter) => reportDisabledSyntax(tokens, features, reporter);
}

function reportDisabledSyntax(tokens: readonly T.Token[], off: readonly SyntaxFeature[], reporter: Reporter): void {
  tokens.forEach((token, index) => {
    if (off.includes('quoted-names') && token.tokenType === T.QuotedName) report(token, 'quoted-names', reporter);
    if (!off.includes('optionals') || token.tokenType !== T.Question) return;
    // The question mark of `c ? a : b` follows an operand, never one of these.
    if (OPENERS.has(tokens[index - 1]?.tokenTypeIdx ?? 0)) report(token, 'optionals', reporter);
  });
}

const OPENERS: ReadonlySet<number> = new Set(
  [T.Dot, T.LeftBracket, T.LeftBrace, T.Comma].map(type => type.tokenTypeIdx as number),
);

const MESSAGES: Readonly<Record<SyntaxFeature, string>> = {
  optionals: 'optional syntax is disabled; `?` is allowed only between two expressions',
  'quoted-names': 'names in backticks are disabled',
};

function report(token: T.Token, feature: SyntaxFeature, reporter: Reporter): void {
  const range = { start: token.startOffset, end: token.end };
  reporter.report({ code: 'syntax/switched-off', message: MESSAGES[feature], range, args: { feature } });
}
