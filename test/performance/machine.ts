import { cpus, totalmem } from 'node:os';

/** Of the machine that measures. */
export const machineFacts = () => ({
  cpus: cpus().length,
  model: cpus()[0]?.model,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  node: process.versions.node,
});

export function machineText(): string {
  const { cpus, model, memoryGb, platform, node } = machineFacts();
  return `${cpus} x ${model}, ${memoryGb} GB, ${platform}, Node ${node}`;
}
