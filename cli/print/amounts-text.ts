/** Devices are what jobs wait for. Where there are none, CPUs and memory are; places of pods only where nothing else is counted. */
export function amountsText(amounts: Readonly<Record<string, string>>): string {
  const all = Object.entries(amounts);
  const shown = IN_ORDER.map((matters) => all.filter(([resource]) => matters(resource)));
  const most = shown.find((some) => some.length > 0) ?? [];
  return most.map(([resource, amount]) => `${amount} ${resource}`).join(', ') || '0';
}

const IN_ORDER: readonly ((resource: string) => boolean)[] = [
  (resource) => resource.includes('/'),
  (resource) => resource === 'cpu' || resource === 'memory',
  (resource) => resource !== 'pods',
  () => true,
];
