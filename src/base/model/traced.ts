import type { SpanParent, Telemetry } from '../telemetry/index.ts';
import { requestText } from './estimate.ts';
import type { Model } from './model.ts';
import { costOf } from './price.ts';

/** Each attempt as a span in the names of OpenTelemetry's conventions for generative models. */
export const traced =
  (telemetry: Telemetry, agent: string | undefined, parent?: SpanParent) =>
  (attempt: Model): Model => {
    if (!telemetry.isOn) return attempt;
    const [, provider = 'script', name = attempt.id] = /^([^/:]+)\/(.+)$/.exec(attempt.id) ?? [];
    return {
      ...attempt,
      stream: (request) =>
        telemetry.span(
          `chat ${name}`,
          {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': provider,
            'gen_ai.request.model': name,
            'gen_ai.request.max_tokens': request.maxOutputTokens ?? attempt.maxOutput,
            'gen_ai.agent.name': agent,
            'gen_ai.input.messages': telemetry.withContents ? requestText(request) : undefined,
          },
          async (span) => {
            const reply = await attempt.stream(request);
            span.set('gen_ai.response.id', reply.responseId);
            span.set('gen_ai.response.finish_reasons', [reply.finish]);
            span.set('gen_ai.usage.input_tokens', reply.usage.inputTokens);
            span.set('gen_ai.usage.cache_read.input_tokens', reply.usage.cachedInputTokens);
            span.set('gen_ai.usage.output_tokens', reply.usage.outputTokens);
            span.set('sylk.cost.usd', costOf(attempt.price, reply.usage));
            if (telemetry.withContents) span.set('gen_ai.output.messages', JSON.stringify(reply.message));
            return reply;
          },
          parent,
        ),
    };
  };
