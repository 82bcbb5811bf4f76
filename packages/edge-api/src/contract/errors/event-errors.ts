import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of event subscriptions and destinations (part B 2.6). */
export const EVENT_ERRORS = {
  5100: bad('an event destination has no target', "Exactly one target must be given in '{field}': one of {expected}."),
  5103: bad('a destination that does not exist', "The event destination '{value}' does not exist."),
  5104: bad('an ARN does not identify a role', "'{value}' is not the ARN of a role."),
  5107: bad(
    'a target has no authentication',
    "Exactly one authentication method must be given in '{field}': one of {expected}.",
  ),
  5108: bad('an update changes the kind of a target', "The target's kind '{value}' cannot be changed to '{expected}'."),
  5112: bad('a deleted destination is in use', "The event destination '{value}' is in use by {expected}."),
  5115: bad('more than one target', "Exactly one target must be given, found '{value}'."),
  5116: bad('more than one authentication method', "Exactly one authentication method must be given, found '{value}'."),
  5120: bad('an ARN that is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  5126: bad('too many sources', "The field '{field}' has {value} sources; at most {limit} are allowed."),
  5127: bad('a source twice', "The subscription already has the source '{value}'."),
  5129: bad('an ARN does not belong to the service', "'{value}' in '{field}' is not an ARN of {expected}."),
  5131: bad('too many destinations', "The field '{field}' has {value} destinations; at most {limit} are allowed."),
  5133: bad('the Datadog API key is missing', "The field '{field}' is missing: the Datadog API key."),
  5136: bad(
    'a field of the Azure target is missing or too long',
    "The field '{field}' must be given, with at most 255 bytes.",
  ),
  5137: bad(
    'the address of the Azure target is not a URL',
    "The field '{field}' must be a URL with the scheme https, found '{value}'.",
  ),
} as const satisfies Record<number, ErrorFact>;
