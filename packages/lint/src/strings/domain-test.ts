import type { AST } from '@eslint-community/regexpp';
import type { TestKind } from '../expressions/value-tests.ts';
import { matchingText } from '../regex/matching-text.ts';
import { passes } from './string-test.ts';

/** What kind of string is searched for a domain. */
export type DomainSubject = 'host' | 'mail' | 'origin' | 'any';

/** A test for a domain, as written. */
interface DomainTest {
  readonly kind: TestKind;
  readonly literal: string;
  readonly subject: DomainSubject;
  /** The parsed pattern; undefined for other tests and for patterns that cannot be analysed. */
  readonly tree: AST.Pattern | undefined;
}

/** A name under somebody else's control that passes a test for a domain. */
export interface ForeignName {
  readonly example: string;
  readonly domain: string;
}

/** Returns a foreign name that passes the test; undefined if there is none or the literal contains no domain. */
export function foreignName({ kind, literal, subject, tree }: DomainTest): ForeignName | undefined {
  const domains = kind === 'matches' ? domainsIn(tree) : [domainIn(literal)].filter(one => one !== undefined);
  for (const domain of domains) {
    const example = namesLike(domain, subject).find(name => passes(kind, literal, name));
    if (example !== undefined) return { example, domain };
  }
  return domains.length === 0 && kind === 'contains' && subject === 'mail' ? foreignMail(literal) : undefined;
}

function namesLike(domain: string, subject: DomainSubject): readonly string[] {
  const hosts = [`evil${domain}`, `${domain}.evil.example`, `x.${domain}.evil.example`];
  const mails = hosts.map(host => `eve@${host}`);
  switch (subject) {
    case 'host':
      return hosts;
    case 'mail':
      return mails;
    case 'origin':
      return hosts.flatMap(host => [`https://${host}`, `http://${host}`]);
    case 'any':
      return [...hosts, ...mails];
  }
}

/** The local part of a mail address, which anybody may use in theirs. */
function foreignMail(literal: string): ForeignName | undefined {
  const name = literal.replaceAll(/^@|[.]$/g, '');
  if (!/^[\w-]+$/.test(name)) return undefined;
  return { example: literal.startsWith('@') ? `eve@${name}.evil.example` : `${name}@evil.example`, domain: name };
}

const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*[a-z]$/i;

/** Returns the domain in a literal, without scheme, user or leading dot. */
function domainIn(literal: string): string | undefined {
  const name = literal
    .replace(/^https?:\/\//i, '')
    .replace(/^.*@/, '')
    .replace(/^\*?\./, '');
  return DOMAIN.test(name) ? name : undefined;
}

/** Returns the registrable domain of each alternative of a pattern. */
function domainsIn(tree: AST.Pattern | undefined): readonly string[] {
  const texts = (tree?.alternatives ?? []).map(one => matchingText({ alternatives: [one] }));
  return texts.flatMap(text => {
    const domain = text === undefined ? undefined : domainIn(text.replace(/[:/]*$/, ''));
    return domain === undefined ? [] : [registrable(domain)];
  });
}

/** Returns `example.com` for `shop.example.com`. A short label before a country code, as in `co.uk`, is part of the registry's suffix. */
function registrable(domain: string): string {
  const labels = domain.split('.');
  const isSecondLevel = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}
