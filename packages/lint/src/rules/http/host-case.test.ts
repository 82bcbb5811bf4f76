import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { HOST_CASE } from './host-case.ts';

testRule(it, HOST_CASE, {
  fires: {
    'for a suffix': {
      policy: when("req.Host.endsWith(«'.Example.com'»)"),
      message: 'browsers send host names in lower case, so `.Example.com` does not match; write `.example.com`',
    },
    'for members of a list': when("req.Host in ['a.example.com', «'B.example.com'»]"),
    'in the modern profile': {
      policy: when("req.url.host == «'Admin.example.com'»", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for lower case': when("req.Host == 'example.com'"),
    'for converted hosts, which another lint rule checks': when("req.Host.lowerAscii() == 'Example.com'"),
    'for patterns': when("req.Host.matches('(?i)^Example')"),
    'for paths': when("req.Path == '/Admin'"),
  },
});
