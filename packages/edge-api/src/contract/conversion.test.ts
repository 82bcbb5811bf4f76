import { expect, it } from 'vitest';
import { redactedUrl } from './conversion.ts';

it.each([
  ['https://hook.example', 'https://hook.example'],
  ['https://hook.example:8443/', 'https://hook.example:8443/'],
  ['https://hook.example/services/T0/B0/hush', 'https://hook.example/***'],
  ['http://hook.example:8080?token=hush', 'http://hook.example:8080/***'],
  ['https://hook.example/#hush', 'https://hook.example/***'],
  ['https://me:hush@hook.example/', 'https://hook.example/***'],
  ['tcp://hook.example:80/hush', 'tcp://hook.example:80/***'],
  ['hush', '***'],
])('shows `%s` as `%s`', (url, shown) => {
  expect(redactedUrl(url)).toBe(shown);
  expect(redactedUrl(shown)).toBe(shown);
});
