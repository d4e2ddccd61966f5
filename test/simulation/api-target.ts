/** What a request is about. */
export interface Target {
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query: URLSearchParams;
}

const PATH =
  /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?(?:\/([^/]+))?(?:\/([^/]+))?(?:\/([^/]+))?$/;

export function targetOf(path: string): Target {
  const [pathname = '', search] = path.split('?');
  const [, namespace, plural = '', name, subresource] = PATH.exec(pathname) ?? [];
  return {
    plural,
    namespace: namespace && decodeURIComponent(namespace),
    name: name && decodeURIComponent(name),
    subresource,
    query: new URLSearchParams(search),
  };
}
