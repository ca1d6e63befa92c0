import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { begin, call, decide, type Input, type OperationName, type Output } from './client.ts';

interface Options {
  enabled?: boolean;
  /** For what other processes change without an event. */
  everyMs?: number;
  /** Asked for also while the tab is in the background. */
  always?: boolean;
  /** Large and slow to change: loaded when it is opened, not at every event. */
  calm?: boolean;
  /** What is shown stays until the answer to another input is there. */
  keep?: boolean;
}

export function useOperation<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: Options = {},
) {
  return useQuery<Output<Name>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    enabled: options.enabled ?? true,
    ...(options.everyMs
      ? { refetchInterval: options.everyMs, refetchIntervalInBackground: options.always ?? false }
      : {}),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
    ...(options.calm
      ? { meta: { calm: true }, staleTime: 60_000, structuralSharing: false, refetchOnWindowFocus: false }
      : {}),
  });
}

/** An operation that changes something: everything shown is loaded anew after it. */
export const useAction = <Name extends OperationName>(name: Name) =>
  useChange<Name>((input) => call(name, input));

/** As `useAction`, for what only a person may answer. */
export const useDecision = <Name extends OperationName>(name: Name) =>
  useChange<Name>((input) => decide(name, input));

/** As `useAction`, for what takes long and goes on without this page. */
export const useBegin = <Name extends OperationName>(name: Name) =>
  useChange<Name, unknown>((input) => begin(name, input));

function useChange<Name extends OperationName, Answer = Output<Name>>(
  mutationFn: (input: Input<Name>) => Promise<Answer>,
) {
  const client = useQueryClient();
  return useMutation<Answer, Error, Input<Name>>({
    mutationFn,
    onSettled: () => client.invalidateQueries(),
  });
}
