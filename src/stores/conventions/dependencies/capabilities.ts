import { type Ecosystem, ecosystems } from './record.ts';

/** What packages are for. */
export interface Capability {
  name: string;
  /** Other ways to ask for the same. */
  words: string;
  /** Best first; the first ones are suggested when nothing fitting is installed. */
  packages: Partial<Record<Ecosystem, string[]>>;
  /** What the platform itself brings. */
  builtin: Partial<Record<Ecosystem, string>>;
}

/**
 * Two lines a capability: its name and words that ask for it; then `ecosystem: packages, best first + what is built in`.
 * Gone through on 2026-11-15. A package that is not listed is found by its own name, description and keywords.
 */
const table = `
date formatting = format date time timestamp display calendar
  npm: date-fns dayjs luxon moment @js-joda/core + Intl.DateTimeFormat; pypi: arrow pendulum python-dateutil babel + datetime; cargo: chrono jiff time; gem: activesupport tzinfo + Time#strftime; composer: nesbot/carbon + DateTimeImmutable; hex: timex + Calendar; pub: intl; maven: joda-time:joda-time + java.time; go: + time; nuget: + System.DateTime
date parsing = parse date time iso string timezone
  npm: date-fns dayjs luxon chrono-node moment; pypi: python-dateutil arrow pendulum dateparser + datetime.fromisoformat; cargo: chrono jiff time; composer: nesbot/carbon; gem: chronic; hex: timex; go: + time.Parse; maven: + java.time
date manipulation = add subtract date difference duration interval timezone
  npm: date-fns dayjs luxon moment; pypi: pendulum arrow python-dateutil; cargo: chrono jiff time; composer: nesbot/carbon; hex: timex; go: + time
HTTP client = http request fetch api call rest get post download
  npm: axios got ky undici node-fetch superagent needle wretch + fetch; pypi: httpx requests aiohttp urllib3; cargo: reqwest ureq hyper; go: github.com/go-resty/resty/v2 github.com/hashicorp/go-retryablehttp + net/http; gem: faraday httparty http rest-client + Net::HTTP; composer: guzzlehttp/guzzle symfony/http-client; hex: req finch tesla httpoison; pub: dio http; maven: com.squareup.okhttp3:okhttp com.squareup.retrofit2:retrofit + java.net.http; nuget: RestSharp Refit Flurl.Http + System.Net.Http
web server = http server web framework routing router endpoint api rest middleware
  npm: hono fastify express koa @nestjs/core @hapi/hapi next + node:http; pypi: fastapi flask django starlette litestar sanic; cargo: axum actix-web rocket warp; go: github.com/gin-gonic/gin github.com/labstack/echo/v4 github.com/go-chi/chi/v5 github.com/gofiber/fiber/v2 + net/http; gem: rails sinatra hanami roda grape; composer: laravel/framework symfony/symfony slim/slim; hex: phoenix plug bandit; pub: shelf; maven: org.springframework.boot:spring-boot-starter-web io.javalin:javalin io.ktor:ktor-server-core; nuget: FastEndpoints + ASP.NET Core
form validation = validate form input schema fields
  npm: zod react-hook-form formik yup valibot vee-validate joi @tanstack/react-form; pypi: pydantic wtforms marshmallow; gem: dry-validation activemodel; composer: illuminate/validation respect/validation symfony/validator; hex: ecto
schema validation = validate validation schema json data parse type runtime check
  npm: zod valibot ajv yup joi superstruct io-ts @sinclair/typebox arktype class-validator; pypi: pydantic marshmallow jsonschema attrs cerberus msgspec; cargo: validator garde jsonschema; go: github.com/go-playground/validator/v10; gem: dry-schema json_schemer; composer: symfony/validator justinrainbow/json-schema; hex: ecto; maven: jakarta.validation:jakarta.validation-api; nuget: FluentValidation
state management = store state global redux atom signal
  npm: zustand @reduxjs/toolkit redux jotai mobx pinia recoil xstate valtio vuex nanostores; pub: riverpod bloc provider
data fetching = query cache server state fetch hook swr
  npm: @tanstack/react-query swr @apollo/client urql @trpc/client @tanstack/vue-query
UI components = component library ui design system button modal dialog
  npm: @radix-ui/react-dialog @mui/material @chakra-ui/react antd @headlessui/react @mantine/core react-aria-components vuetify element-plus bootstrap
icons = icon svg icons
  npm: lucide-react @heroicons/react react-icons @mui/icons-material @tabler/icons-react @fortawesome/react-fontawesome
CSS utility classes = css style class names tailwind conditional merge
  npm: tailwindcss clsx classnames tailwind-merge class-variance-authority unocss
CSS in JavaScript = css styled styles emotion
  npm: @emotion/react styled-components @vanilla-extract/css @linaria/core
animation = animate transition motion spring
  npm: framer-motion motion gsap @react-spring/web animejs
drag and drop = drag drop sortable
  npm: @dnd-kit/core react-dnd sortablejs @hello-pangea/dnd
charts = chart graph plot visualisation visualization
  npm: recharts chart.js d3 echarts @visx/visx victory; pypi: matplotlib plotly seaborn bokeh altair; cargo: plotters; gem: chartkick
tables = table data grid virtual list rows
  npm: @tanstack/react-table ag-grid-community @tanstack/react-virtual react-window; pypi: tabulate rich
rich text editing = editor rich text wysiwyg markdown editor
  npm: @tiptap/core lexical slate prosemirror-state quill codemirror monaco-editor
internationalisation = i18n translation locale language internationalization l10n
  npm: i18next react-intl next-intl vue-i18n @formatjs/intl @lingui/core; pypi: babel; cargo: fluent; gem: i18n; pub: intl; go: golang.org/x/text
database access = database sql orm query postgres mysql sqlite models
  npm: drizzle-orm kysely prisma @prisma/client typeorm sequelize knex pg mysql2 better-sqlite3 mongoose mongodb + node:sqlite; pypi: sqlalchemy django peewee tortoise-orm asyncpg psycopg psycopg2 sqlmodel pymongo + sqlite3; cargo: sqlx diesel sea-orm rusqlite tokio-postgres; go: gorm.io/gorm github.com/jmoiron/sqlx github.com/jackc/pgx/v5 entgo.io/ent github.com/mattn/go-sqlite3 + database/sql; gem: activerecord sequel pg sqlite3 rails; composer: doctrine/orm illuminate/database; hex: ecto_sql ecto postgrex; pub: drift sqflite; maven: org.hibernate.orm:hibernate-core org.jooq:jooq org.springframework.boot:spring-boot-starter-data-jpa; nuget: Microsoft.EntityFrameworkCore Dapper
database migrations = migration schema migrate
  npm: drizzle-kit prisma knex node-pg-migrate umzug; pypi: alembic django yoyo-migrations; go: github.com/golang-migrate/migrate/v4 github.com/pressly/goose/v3; cargo: sqlx refinery; maven: org.flywaydb:flyway-core org.liquibase:liquibase-core
caching = cache redis memcached lru memo
  npm: lru-cache ioredis redis keyv node-cache; pypi: redis cachetools diskcache django-redis + functools.lru_cache; cargo: moka redis lru cached; go: github.com/redis/go-redis/v9 github.com/dgraph-io/ristretto; gem: redis dalli; hex: cachex redix; composer: symfony/cache predis/predis; maven: com.github.ben-manes.caffeine:caffeine; nuget: StackExchange.Redis
background jobs = queue job worker task schedule cron background
  npm: bullmq bee-queue agenda node-cron croner p-queue; pypi: celery rq dramatiq arq apscheduler; cargo: apalis tokio-cron-scheduler; go: github.com/hibiken/asynq github.com/robfig/cron/v3; gem: sidekiq solid_queue good_job resque; hex: oban quantum; nuget: Hangfire Quartz; maven: org.quartz-scheduler:quartz
message queue = kafka rabbitmq amqp nats pubsub event stream
  npm: kafkajs amqplib nats; pypi: aiokafka pika confluent-kafka; cargo: rdkafka lapin async-nats; go: github.com/segmentio/kafka-go github.com/nats-io/nats.go github.com/rabbitmq/amqp091-go; nuget: MassTransit Confluent.Kafka; gem: bunny ruby-kafka; hex: broadway
authentication = auth login session oauth password sign in user
  npm: better-auth next-auth passport @auth/core jose; pypi: authlib django-allauth fastapi-users python-jose; gem: devise omniauth rodauth; composer: laravel/sanctum league/oauth2-client; hex: ueberauth guardian; go: golang.org/x/oauth2; maven: org.springframework.boot:spring-boot-starter-security
JSON web tokens = jwt token sign verify
  npm: jose jsonwebtoken; pypi: pyjwt python-jose authlib; cargo: jsonwebtoken; go: github.com/golang-jwt/jwt/v5; gem: jwt; composer: firebase/php-jwt lcobucci/jwt; hex: joken; maven: io.jsonwebtoken:jjwt-api
password hashing = hash password bcrypt argon2 encrypt
  npm: argon2 bcrypt bcryptjs @node-rs/argon2 + node:crypto scrypt; pypi: argon2-cffi bcrypt passlib + hashlib.scrypt; cargo: argon2 bcrypt; go: golang.org/x/crypto; gem: bcrypt; hex: argon2_elixir bcrypt_elixir; composer: + password_hash
cryptography = crypto encryption cipher hash tls
  npm: @noble/hashes libsodium-wrappers tweetnacl + node:crypto; pypi: cryptography pynacl; cargo: ring rustls aes-gcm sha2; go: golang.org/x/crypto + crypto; maven: + javax.crypto; gem: + OpenSSL
unique ids = uuid id generate nanoid ulid identifier
  npm: nanoid uuid ulid @paralleldrive/cuid2 + crypto.randomUUID; pypi: python-ulid shortuuid + uuid; cargo: uuid ulid nanoid; go: github.com/google/uuid github.com/oklog/ulid/v2; composer: ramsey/uuid; gem: + SecureRandom.uuid; maven: + java.util.UUID; nuget: + System.Guid
logging = log logger structured logs
  npm: pino winston bunyan consola loglevel debug; pypi: structlog loguru + logging; cargo: tracing log env_logger slog; go: go.uber.org/zap github.com/rs/zerolog github.com/sirupsen/logrus + log/slog; composer: monolog/monolog; maven: org.slf4j:slf4j-api ch.qos.logback:logback-classic; nuget: Serilog NLog; gem: semantic_logger lograge + Logger; hex: + Logger
tracing and metrics = telemetry opentelemetry metrics tracing prometheus monitoring
  npm: @opentelemetry/api prom-client @sentry/node; pypi: opentelemetry-api prometheus-client sentry-sdk; cargo: opentelemetry metrics tracing; go: go.opentelemetry.io/otel github.com/prometheus/client_golang; hex: telemetry; nuget: OpenTelemetry
command line parsing = cli arguments flags options argv command line parser
  npm: commander yargs citty cac clipanion @oclif/core minimist + node:util parseArgs; pypi: typer click docopt fire + argparse; cargo: clap argh pico-args; go: github.com/spf13/cobra github.com/urfave/cli/v2 github.com/alecthomas/kong + flag; gem: thor optimist dry-cli + OptionParser; composer: symfony/console; maven: info.picocli:picocli; nuget: System.CommandLine Spectre.Console.Cli; pub: args; hex: + OptionParser
terminal output = terminal color colour spinner prompt progress tui console
  npm: chalk picocolors ora prompts @clack/prompts inquirer ink kleur listr2 enquirer cli-progress + node:util styleText; pypi: rich textual colorama tqdm prompt-toolkit questionary; cargo: indicatif ratatui crossterm console colored dialoguer owo-colors; go: github.com/charmbracelet/bubbletea github.com/charmbracelet/lipgloss github.com/fatih/color; gem: tty-prompt pastel; nuget: Spectre.Console; hex: owl
configuration = config settings environment variables env dotenv
  npm: dotenv convict c12 cosmiconfig @t3-oss/env-core envalid + node --env-file; pypi: pydantic-settings python-dotenv dynaconf environs; cargo: config figment dotenvy; go: github.com/spf13/viper github.com/caarlos0/env/v11 github.com/joho/godotenv; gem: dotenv config; composer: vlucas/phpdotenv; hex: + Config
YAML = yaml yml parse
  npm: yaml js-yaml; pypi: pyyaml ruamel-yaml; cargo: serde_yaml serde_yml; go: gopkg.in/yaml.v3 github.com/goccy/go-yaml; composer: symfony/yaml; maven: org.yaml:snakeyaml; nuget: YamlDotNet; pub: yaml; hex: yaml_elixir; gem: + YAML
TOML = toml parse
  npm: smol-toml @iarna/toml; pypi: tomlkit tomli + tomllib; cargo: toml toml_edit; go: github.com/BurntSushi/toml github.com/pelletier/go-toml/v2; gem: tomlrb
JSON = json serialise serialize parse encode
  npm: superjson jsonc-parser json5 fast-json-stringify + JSON; pypi: orjson ujson msgspec + json; cargo: serde_json serde; go: github.com/goccy/go-json github.com/tidwall/gjson + encoding/json; maven: com.fasterxml.jackson.core:jackson-databind com.google.code.gson:gson com.squareup.moshi:moshi; nuget: Newtonsoft.Json + System.Text.Json; hex: jason; gem: oj + JSON; pub: json_serializable
XML and HTML parsing = xml html parse dom scrape scraping selector
  npm: cheerio linkedom jsdom fast-xml-parser parse5 htmlparser2 xml2js; pypi: beautifulsoup4 lxml selectolax parsel; cargo: scraper quick-xml roxmltree html5ever; go: github.com/PuerkitoBio/goquery golang.org/x/net; gem: nokogiri; hex: floki; maven: org.jsoup:jsoup; nuget: AngleSharp HtmlAgilityPack; composer: symfony/dom-crawler
markdown = markdown render md html
  npm: marked markdown-it remark unified react-markdown turndown; pypi: markdown markdown-it-py mistune; cargo: pulldown-cmark comrak; go: github.com/yuin/goldmark; gem: redcarpet kramdown commonmarker; hex: earmark mdex; composer: league/commonmark
CSV = csv spreadsheet excel rows parse export
  npm: papaparse csv-parse fast-csv xlsx exceljs; pypi: pandas polars openpyxl + csv; cargo: csv calamine; composer: league/csv phpoffice/phpspreadsheet; gem: csv roo; hex: nimble_csv; nuget: CsvHelper; go: + encoding/csv
PDF = pdf generate document
  npm: pdf-lib pdfkit @react-pdf/renderer jspdf pdfjs-dist; pypi: reportlab pypdf weasyprint pdfplumber; cargo: printpdf lopdf; go: github.com/go-pdf/fpdf; gem: prawn; composer: dompdf/dompdf
image processing = image resize thumbnail photo convert
  npm: sharp jimp; pypi: pillow opencv-python scikit-image; cargo: image; go: github.com/disintegration/imaging; gem: image_processing mini_magick; composer: intervention/image; nuget: SixLabors.ImageSharp
templating = template render html view mustache handlebars
  npm: handlebars ejs mustache nunjucks eta pug liquidjs; pypi: jinja2 mako; cargo: askama minijinja tera handlebars; composer: twig/twig; gem: liquid slim haml + ERB; go: + html/template; hex: + EEx
file watching = watch files changes watcher reload
  npm: chokidar @parcel/watcher + fs.watch; pypi: watchfiles watchdog; cargo: notify; go: github.com/fsnotify/fsnotify; gem: listen; hex: file_system
glob matching = glob pattern match files wildcard
  npm: picomatch tinyglobby fast-glob globby micromatch minimatch glob + fs.glob; pypi: wcmatch pathspec + pathlib.Path.glob; cargo: globset glob ignore; go: github.com/bmatcuk/doublestar/v4 + path/filepath.Glob; gem: + Dir.glob
file system = files directory copy remove recursive fs
  npm: fs-extra rimraf + node:fs; cargo: walkdir fs_extra tempfile; go: github.com/spf13/afero + os; pypi: + pathlib, shutil; gem: + FileUtils
child processes = process shell exec command spawn
  npm: execa zx tinyexec cross-spawn + node:child_process; pypi: sh plumbum pexpect + subprocess; cargo: duct xshell; go: + os/exec; gem: + Open3
retries = retry backoff resilience circuit breaker
  npm: p-retry async-retry cockatiel; pypi: tenacity backoff; cargo: backon tokio-retry; go: github.com/cenkalti/backoff/v4 github.com/avast/retry-go; nuget: Polly; maven: io.github.resilience4j:resilience4j-retry; gem: retriable
concurrency limits = promise concurrency limit pool parallel async
  npm: p-limit p-map p-queue piscina tinypool; pypi: anyio trio + asyncio, concurrent.futures; cargo: tokio rayon futures; go: golang.org/x/sync + sync
async runtime = async runtime await future executor
  cargo: tokio async-std smol futures; pypi: anyio trio uvloop + asyncio
collections and functional helpers = lodash array object deep clone merge debounce throttle group utilities
  npm: lodash lodash-es es-toolkit remeda ramda radash immer fp-ts effect + structuredClone, Object.groupBy; pypi: more-itertools toolz + itertools; cargo: itertools indexmap; go: github.com/samber/lo; gem: activesupport
number and money formatting = number currency money decimal format precision
  npm: numeral dinero.js big.js decimal.js bignumber.js + Intl.NumberFormat; pypi: babel py-moneyed + decimal; cargo: rust_decimal; go: github.com/shopspring/decimal; gem: money; composer: moneyphp/money brick/money; maven: + java.math.BigDecimal
text search = search full text fuzzy match index
  npm: fuse.js minisearch flexsearch lunr @orama/orama; pypi: whoosh rapidfuzz thefuzz; cargo: tantivy nucleo fuzzy-matcher; go: github.com/blevesearch/bleve/v2; gem: searchkick pg_search
email = email mail smtp send
  npm: nodemailer resend @sendgrid/mail postmark; pypi: aiosmtplib sendgrid + smtplib; cargo: lettre; go: github.com/wneessen/go-mail + net/smtp; composer: symfony/mailer phpmailer/phpmailer; hex: swoosh bamboo; nuget: MailKit; gem: mail
websockets = websocket realtime socket live push
  npm: ws socket.io partysocket + WebSocket; pypi: websockets python-socketio channels; cargo: tokio-tungstenite tungstenite; go: github.com/coder/websocket github.com/gorilla/websocket; gem: anycable faye-websocket; hex: phoenix
GraphQL = graphql query schema resolver
  npm: graphql graphql-yoga @apollo/server @apollo/client urql; pypi: strawberry-graphql graphene ariadne; cargo: async-graphql juniper; go: github.com/99designs/gqlgen; gem: graphql; hex: absinthe
RPC = grpc rpc protobuf remote procedure
  npm: @trpc/server @grpc/grpc-js @connectrpc/connect protobufjs; pypi: grpcio protobuf; cargo: tonic prost; go: google.golang.org/grpc google.golang.org/protobuf connectrpc.com/connect; maven: io.grpc:grpc-stub
cloud storage = s3 bucket object storage upload aws gcs azure
  npm: @aws-sdk/client-s3 @google-cloud/storage @azure/storage-blob; pypi: boto3 google-cloud-storage s3fs; cargo: aws-sdk-s3 object_store; go: github.com/aws/aws-sdk-go-v2 cloud.google.com/go/storage; gem: aws-sdk-s3; composer: league/flysystem aws/aws-sdk-php
language models = llm ai openai anthropic chat completion model agent
  npm: ai openai @anthropic-ai/sdk langchain @langchain/core @google/genai; pypi: openai anthropic langchain litellm llama-index pydantic-ai; cargo: async-openai rig-core; go: github.com/openai/openai-go; gem: ruby-openai
token counting = tokenizer tokens count tiktoken bpe
  npm: gpt-tokenizer js-tiktoken tiktoken; pypi: tiktoken tokenizers; cargo: tiktoken-rs tokenizers
numerical computing = array matrix numeric statistics dataframe scientific machine learning
  pypi: numpy pandas scipy polars scikit-learn torch tensorflow; cargo: ndarray nalgebra polars; npm: mathjs simple-statistics; hex: nx explorer; go: gonum.org/v1/gonum
testing = test unit assertion runner spec
  npm: vitest jest mocha ava @playwright/test @testing-library/react chai + node:test; pypi: pytest hypothesis + unittest; cargo: rstest proptest insta; go: github.com/stretchr/testify + testing; gem: rspec minitest; composer: phpunit/phpunit pestphp/pest; maven: org.junit.jupiter:junit-jupiter org.assertj:assertj-core; nuget: xunit NUnit; hex: stream_data + ExUnit
mocking = mock stub spy fake test double
  npm: msw nock sinon testdouble; pypi: pytest-mock respx responses freezegun + unittest.mock; cargo: mockall wiremock; go: go.uber.org/mock; gem: webmock vcr mocha; maven: org.mockito:mockito-core; nuget: Moq NSubstitute; hex: mox
browser automation = browser automation headless e2e end to end scrape screenshot
  npm: playwright @playwright/test playwright-core puppeteer cypress; pypi: playwright selenium; cargo: chromiumoxide fantoccini; go: github.com/chromedp/chromedp; gem: capybara selenium-webdriver; nuget: Microsoft.Playwright
fake data = fake data faker seed random fixture factory
  npm: @faker-js/faker fishery; pypi: faker factory-boy; cargo: fake; go: github.com/brianvoe/gofakeit/v7; gem: faker factory_bot; composer: fakerphp/faker; hex: ex_machina; nuget: Bogus
property testing = property based testing fuzz generative
  npm: fast-check; pypi: hypothesis; cargo: proptest quickcheck; hex: stream_data; go: pgregory.net/rapid
bundling = bundle build bundler compile transpile
  npm: vite rolldown esbuild rollup tsup webpack parcel @swc/core tsdown unbuild
parsing source code = parse ast syntax tree parser grammar
  npm: web-tree-sitter @babel/parser acorn typescript ts-morph recast; pypi: tree-sitter libcst lark + ast; cargo: syn tree-sitter pest nom winnow; go: github.com/alecthomas/participle/v2 + go/ast
version comparison = semver version compare range
  npm: semver compare-versions; pypi: packaging semver; cargo: semver; go: golang.org/x/mod; composer: composer/semver; gem: + Gem::Version; hex: + Version
compression = zip gzip compress archive tar
  npm: fflate jszip tar archiver pako + node:zlib; pypi: zstandard + zipfile, gzip; cargo: flate2 zip tar zstd; go: github.com/klauspost/compress + compress/gzip; gem: rubyzip; maven: + java.util.zip
dependency injection = di inversion of control container inject
  npm: tsyringe inversify awilix @nestjs/core; pypi: dependency-injector punq; go: github.com/google/wire go.uber.org/fx; maven: com.google.inject:guice com.google.dagger:dagger; composer: php-di/php-di; nuget: + Microsoft.Extensions.DependencyInjection
error types = error handling result exception anyhow
  cargo: thiserror anyhow eyre snafu; npm: neverthrow ts-results effect; go: github.com/pkg/errors + errors; pypi: returns
serialisation = serialize serde encode decode binary messagepack
  cargo: serde bincode rmp-serde postcard; pypi: msgspec msgpack marshmallow; npm: msgpackr superjson devalue cbor-x; go: github.com/vmihailenco/msgpack/v5
rate limiting = rate limit throttle requests
  npm: rate-limiter-flexible express-rate-limit @fastify/rate-limit bottleneck; pypi: slowapi limits aiolimiter; cargo: governor tower_governor; go: golang.org/x/time; gem: rack-attack; hex: hammer
file uploads = upload multipart form file
  npm: multer busboy @fastify/multipart formidable uploadthing; pypi: python-multipart; cargo: multer; gem: shrine carrierwave; hex: waffle
maps = map geo location leaflet mapbox geospatial
  npm: leaflet maplibre-gl mapbox-gl react-leaflet @turf/turf; pypi: geopandas shapely folium; cargo: geo
payments = payment stripe billing checkout
  npm: stripe @stripe/stripe-js; pypi: stripe; gem: stripe pay; composer: stripe/stripe-php laravel/cashier; go: github.com/stripe/stripe-go/v82
`;

export const capabilities: Capability[] = table
  .trim()
  .split(/\n(?! )/)
  .map((block) => {
    const [head, body] = block.split('\n  ') as [string, string];
    const [name, words] = head.split(' = ') as [string, string];
    const capability: Capability = { name, words, packages: {}, builtin: {} };
    for (const part of body.split('; ')) {
      const [ecosystem, rest] = part.split(/:\s*(.*)/s) as [Ecosystem, string];
      const [packages, builtin] = rest.split(/\s*\+\s+/) as [string, string | undefined];
      if (!ecosystems.includes(ecosystem)) continue;
      if (packages) capability.packages[ecosystem] = packages.split(' ');
      if (builtin) capability.builtin[ecosystem] = builtin;
    }
    return capability;
  });
