import type { PublishSettings } from './publish-settings.ts';
import type { Fault } from './shape-faults.ts';

/** Returns the errors of days: they must be in the calendar, because a drift that is accepted until no day at all would be accepted forever. */
export function dayFaults({ targets = {} }: PublishSettings): readonly Fault[] {
  return Object.entries(targets).flatMap(([name, { acceptedDrift }]) => {
    if (acceptedDrift === undefined || isDay(acceptedDrift.until)) return [];
    const path = ['targets', name, 'acceptedDrift', 'until'];
    return [{ path, message: `expected a day such as \`2027-01-31\`, found \`${acceptedDrift.until}\`` }];
  });
}

/** ISO 8601, extended format. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${text}T00:00:00.000Z`;
}
