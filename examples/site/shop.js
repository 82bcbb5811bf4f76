const list = document.querySelector('#books');
const books = await (await fetch('/api/v1/books', { headers: { 'X-Api-Key': 'demo' } })).json();
list.append(...books.map(book => Object.assign(document.createElement('li'), { textContent: book })));
await fetch('/api/v0/user/12?fields=name');
navigator.sendBeacon('/metrics', 'page=home');
