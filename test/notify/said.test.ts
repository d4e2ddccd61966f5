import { expect, it } from '@jest/globals';
import { post } from '../../notify/delivery/post.ts';
import { ReachableAddresses } from '../../notify/delivery/reachable.ts';
import { saidBy, secretsOf } from '../../notify/delivery/said.ts';
import { HttpReceiver } from '../scenarios/receivers.ts';

const url = new URL(
  'https://ana:p%40ssword@chat.example/services/T0123/B4567/xYz0123456789?key=aB3dE5fG7&v=1',
);
const headers = {
  authorization: 'Bearer 0123456789abcdef',
  'webhook-signature': 'v1,c2lnbmF0dXJl v1,b3RoZXI0NTY=',
};

it.each([
  ['no service at /services/T0123/B4567/xYz0123456789', 'no service at (hidden)'],
  ['no service xYz0123456789 of T0123/B4567', 'no service (hidden) of T0123/B4567'],
  ['key aB3dE5fG7 is not known, v=1', 'key (hidden) is not known, v=1'],
  ['wrong: p@ssword and p%40ssword', 'wrong: (hidden) and (hidden)'],
  ['token 0123456789abcdef has expired', 'token (hidden) has expired'],
  ['expected another signature than c2lnbmF0dXJl', 'expected another signature than (hidden)'],
  [`got ${url.href}`, 'got (hidden)'],
  ['use ghp_zyxwvutsrqponmlk9876 instead', 'use (hidden) instead'],
  ['two\r\nlines \u001b[31mred\u202e', 'two lines [31mred'],
  ['invalid_payload', 'invalid_payload'],
])('of the answer %j people see %j', (answer, shown) => {
  expect(saidBy(answer, secretsOf(url, headers))).toBe(shown);
});

it('no more of an answer is shown than fits, and no half of a secret', () => {
  const said = saidBy(`${'x'.repeat(195)}0123456789abcdef`, secretsOf(url, headers));
  expect(said).toBe(`${'x'.repeat(195)}(hidd`);
});

it('a receiver that repeats what it was sent shows no secret', async () => {
  const http = await HttpReceiver.start();
  try {
    http.answer('/hook/s3cr3t-token', { status: 500, echoes: true });
    const sent = post(
      { url: http.urlOf('/hook/s3cr3t-token'), headers, body: '' },
      new ReachableAddresses(['127.0.0.1/32']),
    );
    const error = await sent.then(String, String);
    expect(error).toContain('answered 500: POST (hidden)');
    for (const secret of ['s3cr3t', '0123456789abcdef', 'c2lnbmF0dXJl']) expect(error).not.toContain(secret);
  } finally {
    await http.close();
  }
});
