const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const PATTERN = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/;

/** Reads `17/May/2015:10:05:03 +0000` as ms since 1970-01-01T00:00:00Z; undefined when it is no such time. */
export function parseLogTime(text: string): number | undefined {
  const parts = PATTERN.exec(text);
  if (parts === null) return undefined;
  const month = MONTHS.indexOf(parts[2]!);
  if (month < 0) return undefined;
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map(part => Number(parts[part])) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = (parts[7] === '-' ? -1 : 1) * (Number(parts[8]) * 60 + Number(parts[9])) * 60_000;
  return Date.UTC(year, month, day, hour, minute, second) - offset;
}
