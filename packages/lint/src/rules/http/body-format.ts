/** Returns true if the string is a JSON object or list. Interpolated expressions count as part of the string. */
export function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && parses(text);
}

/** Returns true if the string is not JSON and contains no interpolation that could make it so. */
export function isNeverJson(text: string): boolean {
  return !text.includes('${') && text.trim() !== '' && !parses(text);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
