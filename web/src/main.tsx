import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, signIn } from './api/client.ts';
import { App } from './app.tsx';
import { applyTheme, storedTheme } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/pieces.css';
import './styles/code.css';
import './styles/search.css';
import './styles/graph.css';
import './styles/areas.css';
import './styles/work.css';
import './styles/narrow.css';

applyTheme(storedTheme());
await signIn();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.code === 'UNAVAILABLE',
    },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
