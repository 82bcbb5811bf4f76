/** A token of RFC 9110, section 5.6.2. */
export const HEADER_NAME_PATTERN = "^[\\w!#$%&'*+.^`|~-]+$";
