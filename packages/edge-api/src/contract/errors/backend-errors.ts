import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of backends (part B 2.6). */
export const BACKEND_ERRORS = {
  6501: bad('a backend is missing or does not exist', "The backend '{value}' in '{field}' does not exist."),
  6502: bad('a deleted backend is in use', "The backend '{value}' is in use by {expected}."),
  6503: bad(
    'the description of a backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6504: bad(
    'the metadata of a backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6505: bad('a static backend without an address', "The field '{field}' must be an address of the form 'host:port'."),
  6506: bad('the address of a static backend is not valid', "The address '{value}' must have the form 'host:port'."),
  6507: bad('the port of a static backend is out of range', "The port of '{value}' must be from 1 to 65535."),
  6508: bad('too many labels', "The field '{field}' has {value} labels; at most {limit} are allowed."),
  6509: bad('the name of a label is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  6510: bad('the value of a label is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  6511: bad(
    'too many backends in a weighted backend',
    "The field '{field}' has {value} backends; at most {limit} are allowed.",
  ),
  6512: bad('a weight is out of range', "The weight '{value}' in '{field}' must be from 0 to 10000."),
  6513: bad(
    'too many backends in a failover backend',
    "The field '{field}' has {value} backends; at most {limit} are allowed.",
  ),
  6516: bad(
    'the body of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6517: bad('the status of an HTTP response backend is not valid', "The status '{value}' must be from 100 to 599."),
  6522: bad(
    'the name of a header of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6523: bad(
    'the value of a header of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6524: bad(
    'a weighted backend contains a backend of the wrong kind',
    "A weighted backend may not contain '{value}'; use {expected}.",
  ),
  6525: bad(
    'a failover backend contains a backend of the wrong kind',
    "A failover backend may not contain '{value}'; use {expected}.",
  ),
} as const satisfies Record<number, ErrorFact>;
