/** The day whose documentation the facts of each profile were read from, by the profile's name. */
export const FACTS_READ: Readonly<Record<string, string>> = {
  // Of profiles that have been replaced, the last day on which they were documented.
  'edge-v2': '2024-05-23',
  'edge-v2-snake': '2024-10-16',
  modern: '2026-08-07',
};
