/** What the `clientConfig` of a webhook, or of a conversion, names. */
interface WebhookService {
  readonly namespace?: string;
  readonly name?: string;
  readonly port?: number;
}

/** Changes each `clientConfig` within a value that names a Service: of webhooks, and of conversions. */
export function withWebhookService<T>(value: T, change: WebhookService): T {
  if (Array.isArray(value)) return value.map((item) => withWebhookService(item, change)) as T;
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] =>
    name === 'clientConfig' && field.service
      ? [name, { ...field, service: { ...field.service, ...change } }]
      : [name, withWebhookService(field, change)],
  );
  return Object.fromEntries(fields) as T;
}
