const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity (`500m`, `2Gi`, `1e3`) as a number of its base unit. */
export function parseQuantity(text: string): number {
  const parts = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(text);
  const factor = FACTORS[parts?.[2] ?? ''];
  if (!parts || factor === undefined) {
    throw new TypeError(`expected a Kubernetes quantity such as 500m, 2 or 4Gi, got ${JSON.stringify(text)}`);
  }
  return Number(parts[1]) * factor;
}
