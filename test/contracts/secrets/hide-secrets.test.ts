import { expect, test } from '@jest/globals';
import { LAST_APPLIED } from '../../../contracts/last-applied.ts';
import { hideSecrets } from '../../../contracts/secrets/hide-secrets.ts';

test('values are hidden by the names of variables, arguments and annotations', () => {
  const hidden = hideSecrets({
    metadata: {
      annotations: { [LAST_APPLIED]: '{"env":"hunter2"}', 'example.com/api-key': 'hunter2', team: 'nlp' },
    },
    spec: {
      containers: [
        {
          command: [
            'python',
            'train.py',
            '--token',
            'hunter2',
            '--api-key=hunter2',
            '-c',
            'DB_PASS=hunter2 run',
          ],
          args: ['--tokenizer', 'x', '--token', '--wait', 'max_tokens=512'],
          env: [
            { name: 'WANDB_KEY', value: 'hunter2' },
            { name: 'DATABASE', value: 'postgres://ana:hunter2@db/runs' },
            { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hugging-face', key: 'token' } } },
            { name: 'DB_PASSWORD', value: '$(PASSWORD)' },
            { name: 'PIN_PASSWORD', value: 1234 },
            { name: 'TOKENIZERS_PARALLELISM', value: 'false' },
          ],
          livenessProbe: { httpGet: { httpHeaders: [{ name: 'Authorization', value: 'hunter2' }] } },
        },
      ],
      volumes: [
        { name: 'auth', secret: { secretName: 'hugging-face' } },
        { name: 'blob', csi: { volumeAttributes: { storageAccountKey: 'hunter2', share: 'data' } } },
      ],
    },
  });
  expect(JSON.stringify(hidden)).not.toMatch(/hunter2|1234/);
  expect(hidden).toEqual({
    metadata: { annotations: { 'example.com/api-key': '(hidden)', team: 'nlp' } },
    spec: {
      containers: [
        {
          command: [
            'python',
            'train.py',
            '--token',
            '(hidden)',
            '--api-key=(hidden)',
            '-c',
            'DB_PASS=(hidden) run',
          ],
          args: ['--tokenizer', 'x', '--token', '--wait', 'max_tokens=512'],
          env: [
            { name: 'WANDB_KEY', value: '(hidden)' },
            { name: 'DATABASE', value: 'postgres://ana:(hidden)@db/runs' },
            { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hugging-face', key: 'token' } } },
            { name: 'DB_PASSWORD', value: '$(PASSWORD)' },
            { name: 'PIN_PASSWORD', value: '(hidden)' },
            { name: 'TOKENIZERS_PARALLELISM', value: 'false' },
          ],
          livenessProbe: { httpGet: { httpHeaders: [{ name: 'Authorization', value: '(hidden)' }] } },
        },
      ],
      volumes: [
        { name: 'auth', secret: { secretName: 'hugging-face' } },
        { name: 'blob', csi: { volumeAttributes: { storageAccountKey: '(hidden)', share: 'data' } } },
      ],
    },
  });
});
