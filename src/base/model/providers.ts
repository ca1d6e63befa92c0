import type { LanguageModelV4 } from '@ai-sdk/provider';

export interface ProviderSettings {
  /** `anthropic`, `openai`, `google`, or the name of an OpenAI-compatible server. */
  provider: string;
  model: string;
  url: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
}

/** A redirect is refused: the headers that hold the key would go along to another host. */
const withoutRedirects =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input, { ...init, redirect: 'error' });

/** Each SDK is loaded by its first call, so that a command without a model pays for none. */
export async function loadProvider(settings: ProviderSettings): Promise<LanguageModelV4> {
  const { provider, model, url: baseURL, key = '' } = settings;
  const common = { baseURL, apiKey: key, fetch: withoutRedirects(settings.fetch) };
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(common)(model);
  }
  if (provider === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(common)(model);
  }
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle(common)(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ ...common, name: provider, includeUsage: true })(model);
}
