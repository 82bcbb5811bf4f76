import { InvalidArgumentError, Option } from 'commander';

/** The option that completes URLs of which only the path was recorded. */
export function originOption(): Option {
  return new Option('--origin <url>', 'scheme and host of requests of which only the path was recorded').argParser(
    parseOrigin,
  );
}

/** The option that decides what a policy leaves to chance. */
export function seedOption(): Option {
  return new Option(
    '--seed <number>',
    'draw what the policy leaves to chance; without it, that is not known',
  ).argParser(parseSeed);
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (!isOrigin) throw new InvalidArgumentError('expected scheme and host, such as `https://example.com`.');
  return url.origin;
}

/** Reads a time of an option, in ms since 1970-01-01T00:00:00Z. */
export function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time, such as `2026-03-02T10:15:30Z`.');
  return time;
}

function parseSeed(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number that is not negative.');
  return Number(text);
}
