/** The date of the documentation that the facts of each profile were taken from, by profile name. */
export const SOURCE_DATES: Readonly<Record<string, string>> = {
  // Superseded profiles have the last date on which they were documented.
  'edge-v2': '2024-05-23',
  'edge-v2-snake': '2024-10-16',
  modern: '2026-08-07',
};
