/** One page without a build: the state of the index and the entry points. */
export const plainPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sylk</title>
<link rel="stylesheet" href="/plain.css">
<main>
  <h1>Sylk</h1>
  <p id="state" role="status">Loading…</p>
  <p>This is the plain page: the dashboard is not built in this clone. <code>npm run build:web</code> builds it, then start <code>sylk up</code> again (<code>npm start</code> does both).</p>
  <form id="ask"><label for="query">Search this repository</label><input id="query" autocomplete="off"><button>Search</button></form>
  <pre id="answer" aria-live="polite"></pre>
  <h2>From here</h2>
  <ul>
    <li>MCP: <code>/mcp</code> with the token of the file that <code>sylk up</code> names, or <code>sylk mcp install</code></li>
    <li>API: <code>POST /api/&lt;operation&gt;</code>, described by <code>/api/openapi.json</code></li>
    <li>Terminal: <code>sylk help</code></li>
  </ul>
</main>
<script src="/plain.js"></script>
</html>
`;

export const plainStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; }
input { flex: 1 1 16rem; font: inherit; padding: .4rem; }
button { font: inherit; padding: .4rem 1rem; }
`;

export const plainScript = `const state = document.getElementById('state');
const answer = document.getElementById('answer');
async function token() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) {
    history.replaceState(null, '', '/');
    const reply = await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) });
    if (reply.ok) sessionStorage.setItem('token', (await reply.json()).token);
  }
  return sessionStorage.getItem('token');
}
async function call(name, input) {
  const reply = await fetch('/api/' + name, { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + (await token()) }, body: JSON.stringify(input) });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error.message + ' ' + (body.error.hint || ''));
  return body;
}
call('get_status', {}).then((status) => { state.textContent = status.repository; answer.textContent = JSON.stringify(status, null, 2); })
  .catch((error) => { state.textContent = error.message; });
document.getElementById('ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  try { answer.textContent = JSON.stringify(await call('search', { query: document.getElementById('query').value }), null, 2); }
  catch (error) { answer.textContent = error.message; }
});
`;
