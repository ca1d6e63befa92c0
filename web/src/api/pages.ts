import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, type Input, type OperationName, type Output } from './client.ts';

/** A list that the server answers in pages, loaded further as it is scrolled. Pages are as large as a reply may be. */
export function usePages<Name extends OperationName, Item>(
  name: Name,
  input: Input<Name>,
  read: (page: Output<Name>) => { items: Item[]; total: number; next_cursor?: string | undefined },
) {
  const query = useInfiniteQuery({
    queryKey: [name, 'pages', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        { ...input, max_tokens: 20_000, ...(pageParam ? { cursor: pageParam } : {}) } as Input<Name>,
        signal,
      ),
    getNextPageParam: (page) => read(page).next_cursor,
  });
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const pages = query.data?.pages.map(read);
  return {
    items: pages?.flatMap((page) => page.items),
    total: pages?.[0]?.total ?? 0,
    error: query.error,
    more,
  };
}
