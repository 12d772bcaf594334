/* A client that asks as fast as it is answered; in C, so that the server is what is measured.
 *
 * asker PATH REQUEST END TIMES CONNECTIONS: over several connections at once; each asks
 * again once it has an answer, which is complete when it ends with the character END.
 * asker PATH REQUEST END TIMES: connects anew for each request.
 *
 * Prints how long it took, in seconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char *path, *request;
static char end, answer[1 << 20];

static void check(int is_good, const char *what)
{
    if (!is_good) {
        perror(what);
        exit(1);
    }
}

static int connected(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int sock = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    check(connect(sock, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    return sock;
}

static void ask(int sock)
{
    ssize_t length = strlen(request);
    check(send(sock, request, length, MSG_NOSIGNAL) == length, "send");
}

/* Takes what has come; returns whether the answer is complete. */
static int is_answered(int sock)
{
    ssize_t length = recv(sock, answer, sizeof answer, 0);
    check(length > 0, "recv");
    return answer[length - 1] == end;
}

static void ask_together(long times, int connections)
{
    int poll = epoll_create1(0);
    long to_ask = times;
    for (int i = 0; i < connections; i++, to_ask--) {
        int sock = connected();
        struct epoll_event readable = {.events = EPOLLIN, .data.fd = sock};
        check(epoll_ctl(poll, EPOLL_CTL_ADD, sock, &readable) == 0, "epoll_ctl");
        ask(sock);
    }
    for (long missing = times; missing > 0;) {
        struct epoll_event ready[64];
        int count = epoll_wait(poll, ready, 64, -1);
        for (int i = 0; i < count; i++) {
            if (!is_answered(ready[i].data.fd))
                continue;
            missing--;
            if (to_ask-- > 0)
                ask(ready[i].data.fd);
        }
    }
}

static void ask_as_strangers(long times)
{
    while (times-- > 0) {
        int sock = connected();
        ask(sock);
        while (!is_answered(sock))
            ;
        close(sock);
    }
}

int main(int count, char **words)
{
    struct timespec before, after;
    if (count < 5)
        return 2;
    path = words[1], request = words[2], end = words[3][0];
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (count > 5)
        ask_together(atol(words[4]), atoi(words[5]));
    else
        ask_as_strangers(atol(words[4]));
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%.9f\n", after.tv_sec - before.tv_sec + (after.tv_nsec - before.tv_nsec) / 1e9);
    return 0;
}
