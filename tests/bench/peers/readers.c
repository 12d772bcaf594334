/* Many readers in one program, in C so that the server is what is measured.
 *
 * readers PATH COUNT [REQUEST]: connects COUNT times; each sends REQUEST and reads the line that
 * answers it. Prints "ready". Then it takes lines of text, and after each prints the moment at
 * which every reader has had a line with that text in it: seconds on the monotonic clock.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

enum { LINE = 1 << 16 };

struct reader {
    int sock, has_text;
    long length;
    char line[LINE];
};

static void check(int is_good, const char *what)
{
    if (!is_good) {
        perror(what);
        exit(1);
    }
}

/* Takes what has come; returns whether a line is complete, which the next call writes over. */
static int has_line(struct reader *reader)
{
    if (reader->length && reader->line[reader->length - 1] == '\n')
        reader->length = 0;
    long got = recv(reader->sock, reader->line + reader->length, LINE - reader->length, 0);
    check(got > 0, "recv");
    reader->length += got;
    return reader->line[reader->length - 1] == '\n';
}

static void connect_reader(struct reader *reader, const char *path, const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    reader->sock = socket(AF_UNIX, SOCK_STREAM, 0);
    check(connect(reader->sock, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    if (request) {
        check(send(reader->sock, request, strlen(request), MSG_NOSIGNAL) > 0, "send");
        while (!has_line(reader))
            ;
    }
}

static void wait_for(const char *text, struct reader *readers, int missing, int poll)
{
    for (int i = 0; i < missing; i++)
        readers[i].has_text = 0;
    while (missing > 0) {
        struct epoll_event ready[256];
        int count = epoll_wait(poll, ready, 256, -1);
        for (int i = 0; i < count; i++) {
            struct reader *reader = ready[i].data.ptr;
            if (!has_line(reader) || reader->has_text)
                continue;
            reader->has_text = memmem(reader->line, reader->length, text, strlen(text)) != NULL;
            missing -= reader->has_text;
        }
    }
}

int main(int words_count, char **words)
{
    char text[256];
    struct timespec now;
    int count = words_count > 2 ? atoi(words[2]) : 0, poll = epoll_create1(0);
    struct reader *readers = calloc(count, sizeof *readers);
    if (count < 1)
        return 2;
    for (int i = 0; i < count; i++) {
        struct epoll_event readable = {.events = EPOLLIN, .data.ptr = &readers[i]};
        connect_reader(&readers[i], words[1], words_count > 3 ? words[3] : NULL);
        epoll_ctl(poll, EPOLL_CTL_ADD, readers[i].sock, &readable);
    }
    puts("ready");
    fflush(stdout);
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = 0;
        wait_for(text, readers, count, poll);
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
        fflush(stdout);
    }
    return 0;
}
