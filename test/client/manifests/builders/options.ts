/** The fewest options that every builder needs. */
export const SMALLEST = { name: 'train', image: 'registry.example/train:1', nodes: 3 } as const;

/** All options that every builder has. */
export const SHARED_OPTIONS = {
  ...SMALLEST,
  namespace: 'ml',
  command: ['python3', 'train.py'],
  args: ['--epochs=3'],
  env: { NCCL_DEBUG: 'INFO' },
  gpusPerNode: 8,
  cpu: 4,
  memory: '64Gi',
  shm: '16Gi',
  volumes: { imagenet: '/data', checkpoints: '/checkpoints' },
  nodeSelector: { 'node.kubernetes.io/instance-type': 'p5.48xlarge' },
  labels: { team: 'vision' },
  annotations: { 'example.com/cost': '42' },
  policy: { evidence: { logLines: 50 }, refusals: { failAfter: '30m' } },
  gang: 'native',
} as const;

/** And the one that all but that of a TrainJob have, whose runtime says it. */
export const POD_OPTIONS = { ...SHARED_OPTIONS, restartPolicy: 'OnFailure' } as const;

/** All options that every builder of kubeflow.org has. */
export const JOB_OPTIONS = {
  ...POD_OPTIONS,
  backoffLimit: 3,
  deadlineSeconds: 3_600,
  ttlSeconds: 600,
  cleanPodPolicy: 'Running',
  suspend: true,
} as const;
