import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of event subscriptions and destinations (part B 2.6). */
export const EVENT_ERRORS = {
  5100: bad(
    'an event destination without a target',
    "Exactly one target must be given in '{field}': one of {expected}.",
  ),
  5103: bad('a destination that does not exist', "The event destination '{value}' does not exist."),
  5104: bad('an ARN that is none of a role', "'{value}' is no ARN of a role."),
  5107: bad(
    'a target without authentication',
    "Exactly one way to authenticate must be given in '{field}': one of {expected}.",
  ),
  5108: bad('another kind of target in an update', "The target's kind '{value}' cannot be changed to '{expected}'."),
  5112: bad(
    'deletion of a destination that is referred to',
    "The event destination '{value}' is in use by {expected}.",
  ),
  5115: bad('more than one target', "Exactly one target must be given, found '{value}'."),
  5116: bad('more than one way to authenticate', "Exactly one way to authenticate must be given, found '{value}'."),
  5120: bad('an ARN that is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  5126: bad('too many sources', "The field '{field}' holds {value} sources; at most {limit} are allowed."),
  5127: bad('a source twice', "The subscription has the source '{value}' already."),
  5129: bad('an ARN that is none of the service', "'{value}' in '{field}' is no ARN of {expected}."),
  5131: bad('too many destinations', "The field '{field}' holds {value} destinations; at most {limit} are allowed."),
  5133: bad('no API key of Datadog', "The field '{field}' is missing: the API key of Datadog."),
  5136: bad(
    'a field of the Azure target is missing or too long',
    "The field '{field}' must be given, with at most 255 bytes.",
  ),
  5137: bad(
    'the address of the Azure target is no URL',
    "The field '{field}' must be a URL with the scheme https, found '{value}'.",
  ),
} as const satisfies Record<number, ErrorFact>;
