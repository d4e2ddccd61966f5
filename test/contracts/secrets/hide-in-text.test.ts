import { describe, expect, test } from '@jest/globals';
import { hideInText } from '../../../contracts/secrets/hide-in-text.ts';

const LETTERS = 'abcdefGHIJKL0123456789abcdefGHIJKL';

describe('secrets in a text', () => {
  test.each([
    ['postgres://ana:hunter2@db:5432/runs', 'postgres://ana:(hidden)@db:5432/runs'],
    ['redis://:hunter2@cache', 'redis://:(hidden)@cache'],
    ['amqp+ssl://a:b@c@host/x and http://host:80/', 'amqp+ssl://a:(hidden)@host/x and http://host:80/'],
    ['https://oauth2:abc@git.example/repo.git', 'https://oauth2:(hidden)@git.example/repo.git'],
    ['Authorization: Basic YW5hOmh1bnRlcjI=', 'Authorization: Basic (hidden)'],
    [`curl -H "Authorization: Bearer ${LETTERS}" x`, 'curl -H "Authorization: Bearer (hidden)" x'],
    [`refused: Bearer ${LETTERS}`, 'refused: Bearer (hidden)'],
    [`cannot log in with hf_${LETTERS}.`, 'cannot log in with (hidden).'],
    [`ghp_${LETTERS} sk-proj-${LETTERS} AKIAIOSFODNN7EXAMPLE`, '(hidden) (hidden) (hidden)'],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${LETTERS}`, '(hidden)'],
    ['https://a.blob/x?sv=1&sig=abc%3D&se=2', 'https://a.blob/x?sv=1&sig=(hidden)&se=2'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nend', '(hidden)\nend'],
    ['--api-key=abc --lr=0.1', '--api-key=(hidden) --lr=0.1'],
    ['python train.py --token abc --epochs 3', 'python train.py --token (hidden) --epochs 3'],
    ['export WANDB_API_KEY=abc; python train.py', 'export WANDB_API_KEY=(hidden); python train.py'],
    [`HF_TOKEN="a b" PASSWORD='c d' run`, `HF_TOKEN="(hidden)" PASSWORD='(hidden)' run`],
    ['wandb.api_key=abc trainer.devices=8', 'wandb.api_key=(hidden) trainer.devices=8'],
    ['Server=db;Password=abc;Database=x', 'Server=db;Password=(hidden);Database=x'],
    ['https://api.example/v1?api_key=abc&limit=3', 'https://api.example/v1?api_key=(hidden)&limit=3'],
    ['{"apiKey": "abc", "lr": "0.1"}', '{"apiKey": "(hidden)", "lr": "0.1"}'],
    ["{'password': 'abc'}", "{'password': '(hidden)'}"],
    ['{\\"password\\":\\"abc\\"}', '{\\"password\\":\\"(hidden)\\"}'],
    ['{"name":"HF_TOKEN","value":"abc"}', '{"name":"HF_TOKEN","value":"(hidden)"}'],
  ])('%s', (text, hidden) => {
    expect(hideInText(text)).toBe(hidden);
    expect(hideInText(hidden)).toBe(hidden);
  });

  test.each([
    ...[
      'MONKEY=1',
      'KEYBOARD=us',
      'TOKENIZERS_PARALLELISM=false',
      'max_tokens=512',
      '--tokenizer x',
      '--max-tokens 512',
    ],
    ...[
      '--eos-token </s>',
      'sorted(rows, key=len)',
      '--key nightly',
      'token == other',
      'author=ana',
      '--token-file /run/t',
    ],
    ...[
      '--token=$HF_TOKEN',
      '--token $(HF_TOKEN)',
      `PASSWORD=\${DB_PASSWORD}`,
      'postgres://ana:$(PASSWORD)@db/runs',
    ],
    ...[
      'USE_AUTH=true',
      'PASSWORD=***',
      'https://host:8443/path?user=ana',
      'ssh://git@github.com/a/b',
      's3://bucket/path:1',
    ],
    ...[
      'Bearer authentication failed',
      'a task-2026-11-26-run',
      'hf_transfer is on',
      'use sk-learn-contrib-and-more',
    ],
    ...[
      'sha256:0123456789abcdef0123456789abcdef',
      'the token is wrong',
      '{"secretName": "hugging-face"}',
      'step=12 loss=3.2',
    ],
    ...['RuntimeError: size of tensor a (8) must match', 'the password was wrong'],
  ])('%s stays visible', (text) => {
    expect(hideInText(text)).toBe(text);
  });

  test('are hidden in a long text in linear time', () => {
    const texts = [
      'a'.repeat(200_000),
      'ab-'.repeat(70_000),
      '--a='.repeat(50_000),
      '"a":"'.repeat(40_000),
      'a://'.repeat(50_000),
    ];
    for (const text of texts) hideInText(`${text}=`);
  });
});
